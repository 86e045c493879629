// SPDX-License-Identifier: Apache-2.0
// ifr.Reader IOR [write]: as programs/ifr/reader.cpp, by JacORB's stubs. write: first makes a module with types and an interface
// in it, and changes them.
package ifr;

import java.util.Properties;
import org.omg.CORBA.*;

public final class Reader {
  private static final StringBuilder out = new StringBuilder();

  static String type(TypeCode t) { return Integer.toString(t.kind().value()); }

  static void printExceptions(ExceptionDescription[] all) {
    for (ExceptionDescription e : all) out.append(" raises ").append(e.id);
  }

  static void print(OperationDescription[] all) {
    for (OperationDescription o : all) {
      out.append("  operation ").append(o.name).append(' ').append(o.id).append(" in ").append(o.defined_in).append(" mode ")
          .append(o.mode.value()).append(" result ").append(type(o.result));
      for (ParameterDescription p : o.parameters)
        out.append(' ').append(p.name).append(':').append(p.mode.value()).append(':').append(type(p.type));
      printExceptions(o.exceptions);
      for (String c : o.contexts) out.append(" context ").append(c);
      out.append('\n');
    }
  }

  static void print(AttributeDescription[] all) {
    for (AttributeDescription a : all)
      out.append("  attribute ").append(a.name).append(" mode ").append(a.mode.value()).append(" type ").append(type(a.type))
          .append('\n');
  }

  static void printIds(String what, String[] all) {
    for (String id : all) out.append("  ").append(what).append(' ').append(id).append('\n');
  }

  static void printType(IDLType t) throws Exception {
    TypeCode code = t.type();
    out.append("  type ").append(type(code));
    switch (code.kind().value()) {
      case TCKind._tk_struct:
      case TCKind._tk_union:
      case TCKind._tk_enum:
        for (int i = 0; i < code.member_count(); ++i) out.append(' ').append(code.member_name(i));
        break;
      case TCKind._tk_alias:
        out.append(" of ").append(type(code.content_type()));
        break;
      default:
    }
    out.append('\n');
  }

  static void print(Contained c) throws Exception {
    DefinitionKind kind = c.def_kind();
    org.omg.CORBA.ContainedPackage.Description d = c.describe();
    out.append(kind.value()).append(' ').append(c.absolute_name()).append(' ').append(c.id()).append(' ').append(c.version())
        .append(d.kind.value() == kind.value() ? "" : " DESCRIBED AS ANOTHER KIND").append('\n');
    switch (kind.value()) {
      case DefinitionKind._dk_Interface:
      case DefinitionKind._dk_AbstractInterface: {
        org.omg.CORBA.InterfaceDefPackage.FullInterfaceDescription full = InterfaceDefHelper.narrow(c).describe_interface();
        printIds("base", full.base_interfaces);
        print(full.operations);
        print(full.attributes);
        break;
      }
      case DefinitionKind._dk_Value: {
        org.omg.CORBA.ValueDefPackage.FullValueDescription full = ValueDefHelper.narrow(c).describe_value();
        out.append("  flags ").append(full.is_abstract ? 1 : 0).append(full.is_custom ? 1 : 0).append(full.is_truncatable ? 1 : 0)
            .append(" base ").append(full.base_value).append('\n');
        printIds("supports", full.supported_interfaces);
        for (ValueMember m : full.members)
          out.append("  member ").append(m.name).append(' ').append(m.access).append(' ').append(type(m.type)).append('\n');
        break;
      }
      case DefinitionKind._dk_Constant:
        out.append("  value of ").append(type(ConstantDefHelper.narrow(c).value().type())).append('\n');
        break;
      default:
    }
    if (c._is_a(IDLTypeHelper.id())) printType(IDLTypeHelper.narrow(c));
    if (c._is_a(ContainerHelper.id())) printIn(ContainerHelper.narrow(c));
  }

  static void printIn(Container container) throws Exception {
    for (Contained c : container.contents(DefinitionKind.dk_all, true)) print(c);
  }

  static void write(Repository repository) {
    ModuleDef module = repository.create_module("IDL:ByJava:1.0", "ByJava", "1.0");
    IDLType number = repository.get_primitive(PrimitiveKind.pk_long);
    TypeCode any = number.type();
    StructMember[] members = {new StructMember("a", any, number), new StructMember("b", any, number)};
    StructDef pair = module.create_struct("IDL:ByJava/Pair:1.0", "Pair", "1.0", members);
    AliasDef pairs = module.create_alias("IDL:ByJava/Pairs:1.0", "Pairs", "1.0", repository.create_sequence(0, pair));
    ExceptionDef wrong = module.create_exception("IDL:ByJava/Wrong:1.0", "Wrong", "1.0", new StructMember[0]);
    InterfaceDef calls = module.create_interface("IDL:ByJava/Calls:1.0", "Calls", "1.0", new InterfaceDef[0]);
    ParameterDescription[] parameters = {new ParameterDescription("all", pairs.type(), pairs, ParameterMode.PARAM_INOUT)};
    OperationDef sort = calls.create_operation("IDL:ByJava/Calls/sort:1.0", "sort", "1.0", number, OperationMode.OP_NORMAL,
        parameters, new ExceptionDef[] {wrong}, new String[0]);
    calls.create_attribute("IDL:ByJava/Calls/size:1.0", "size", "1.0", number, AttributeMode.ATTR_READONLY);
    sort.name("arrange");
    try {
      pair.destroy();
      out.append("what is used was destroyed\n");
    } catch (BAD_INV_ORDER e) {
      out.append("used: BAD_INV_ORDER ").append(e.minor & 0xfff).append('\n');
    }
    try {
      module.create_module("IDL:ByJava:1.0", "Other", "1.0");
      out.append("an id was given twice\n");
    } catch (BAD_PARAM e) {
      out.append("twice: BAD_PARAM ").append(e.minor & 0xfff).append('\n');
    }
  }

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.put("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    properties.put("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    ORB orb = ORB.init(args, properties);
    Repository repository = RepositoryHelper.narrow(orb.string_to_object(args[0]));
    if (args.length > 1 && args[1].equals("write")) write(repository);
    printIn(repository);
    out.append("nothing is ").append(repository.lookup_id("IDL:nothing:1.0") == null ? "nil" : "there").append('\n');
    System.out.print(out);
    System.out.flush();
    orb.shutdown(true);
  }
}
